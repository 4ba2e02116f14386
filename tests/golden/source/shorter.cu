__global__ void shorter(int *out)
{
	int i = 7;
	i = 8;
