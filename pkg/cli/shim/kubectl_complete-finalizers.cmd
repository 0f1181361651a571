@set name=%~n0
@"%name:kubectl_complete-=kubectl-%.exe" __complete %*
