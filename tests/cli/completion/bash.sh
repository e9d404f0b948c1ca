# bash
eval "$(jobmeter completion bash)"
ask() {
	COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
	_jobmeter
	echo "$*: ${COMPREPLY[*]}"
}
ask jobmeter ''
ask jobmeter re
ask jobmeter run --inter
ask jobmeter run --summary ''
ask jobmeter run --summary = s
ask jobmeter run -i ''
ask jobmeter run --interval 1s --over
ask jobmeter completion ''
ask jobmeter report --fo
touch here.jm
ask jobmeter report he
ask jobmeter run -o he
ask jobmeter run -- ls he
ask jobmeter run -q ls he
