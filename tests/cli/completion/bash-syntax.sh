# bash
jobmeter completion bash | bash -n
