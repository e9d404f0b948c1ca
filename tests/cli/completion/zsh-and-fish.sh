# where the shells are installed they judge it (and test_completion.py asks them); else it is at least there
jobmeter completion zsh >zsh && jobmeter completion fish >fish || exit 1
if command -v zsh >/dev/null; then zsh -n zsh || exit 1; fi
if command -v fish >/dev/null; then fish -n fish || exit 1; fi
grep -c 'time between samples' zsh fish
