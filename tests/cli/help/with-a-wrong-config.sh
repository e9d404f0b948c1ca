# those whose configuration is wrong need help most
mkdir -p .config/jobmeter
echo nonsense >.config/jobmeter/config
jobmeter run --help >/dev/null
