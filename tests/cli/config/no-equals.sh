mkdir -p xdg/jobmeter
printf 'interval 1s\n' >xdg/jobmeter/config
export XDG_CONFIG_HOME=$PWD/xdg
jobmeter run true 2>&1 | sed "s|$HOME|HOME|"
jobmeter run true 2>/dev/null
