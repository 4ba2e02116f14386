struct range {
	int low, high;
	__device__ int size() const { return high - low; }
};
