# explicit option, NO_COLOR, forced, not a terminal
esc=$(printf '\033')
jobmeter run -q -- true
colored() { grep -c "$esc"; }
jobmeter report | colored
jobmeter report --color=always | colored >n; [ "$(cat n)" -gt 0 ] && echo colored
NO_COLOR=1 jobmeter report --color=always | colored >n; [ "$(cat n)" -gt 0 ] && echo colored
NO_COLOR=1 FORCE_COLOR=1 jobmeter report | colored
CLICOLOR_FORCE=1 jobmeter report | colored >n; [ "$(cat n)" -gt 0 ] && echo colored
FORCE_COLOR=1 jobmeter report --color=never | colored
true
