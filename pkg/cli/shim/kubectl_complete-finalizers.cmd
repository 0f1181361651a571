@kubectl-finalizers.exe __complete %*
