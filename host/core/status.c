/* Statuses of the served device become CUDA's errors here, and nowhere else. */
#include "host/core/channel.h"

static int error_of(enum wire_status status)
{
	switch (status) {
	case WIRE_OK: return cudaSuccess;
	case WIRE_INVALID_VALUE: return cudaErrorInvalidValue;
	case WIRE_OUT_OF_MEMORY: return cudaErrorMemoryAllocation;
	case WIRE_INVALID_HANDLE: return cudaErrorInvalidResourceHandle;
	case WIRE_INVALID_DIRECTION: return cudaErrorInvalidMemcpyDirection;
	case WIRE_INVALID_FUNCTION: return cudaErrorInvalidDeviceFunction;
	case WIRE_INVALID_SYMBOL: return cudaErrorInvalidSymbol;
	case WIRE_NOT_FOUND: return cudaErrorSymbolNotFound;
	case WIRE_INVALID_IMAGE: return cudaErrorInvalidKernelImage;
	case WIRE_NO_BINARY: return cudaErrorNoKernelImageForDevice;
	case WIRE_INVALID_PROGRAM: return cudaErrorInvalidPtx;
	case WIRE_UNDEFINED_NAMES: return cudaErrorUnknown;
	case WIRE_MAPPING_FAILED: return cudaErrorMapBufferObjectFailed;
	case WIRE_UNSUPPORTED_LIMIT: return cudaErrorUnsupportedLimit;
	case WIRE_NO_CONTEXT: return cudaErrorDeviceUninitialized;
	case WIRE_SYSTEM_FAILED: return cudaErrorOperatingSystem;
	case WIRE_NOT_READY: return cudaErrorNotReady;
	case WIRE_NO_DEVICE: return cudaErrorNoDevice;
	case WIRE_NOT_INITIALIZED: return cudaErrorInitializationError;
	case WIRE_ENDING: return cudaErrorCudartUnloading;
	case WIRE_NOT_PERMITTED: return cudaErrorNotPermitted;
	case WIRE_LOST: return cudaErrorUnknown;
	case WIRE_LAUNCH_FAILED: return cudaErrorLaunchFailure;
	case WIRE_LAUNCH_TIMEOUT: return cudaErrorLaunchTimeout;
	case WIRE_ILLEGAL_ADDRESS: return cudaErrorIllegalAddress;
	case WIRE_MISALIGNED_ADDRESS: return cudaErrorMisalignedAddress;
	case WIRE_INVALID_ADDRESS_SPACE: return cudaErrorInvalidAddressSpace;
	case WIRE_INVALID_PC: return cudaErrorInvalidPc;
	case WIRE_STACK_OVERFLOW: return cudaErrorHardwareStackError;
	case WIRE_ILLEGAL_INSTRUCTION: return cudaErrorIllegalInstruction;
	case WIRE_ASSERTION: return cudaErrorAssert;
	}
	return cudaErrorUnknown; /* not a status: the shared memory was overwritten */
}

int host_connect_channel(void) { return error_of(channel_connect()); }

int host_sticky(void) { return error_of(channel_sticky()); }

/* Returns whether kernels launched before are over once the call has succeeded. */
static bool is_waited_for(enum wire_call call)
{
	return call == CALL_synchronize || call == CALL_event_synchronize || call == CALL_stream_query || call == CALL_event_query ||
	       call == CALL_free || call == CALL_reset;
}

int host_call(enum wire_call call, bool waits, const void *in, size_t n_in, const void *payload, size_t n_payload,
	      void *out, size_t n_out)
{
	if (call == CALL_copy)
		host_guards_open();
	const enum wire_status status = channel_call(call, waits, in, n_in, payload, n_payload, out, n_out);
	if (!status && is_waited_for(call))
		host_guards_open();
	return error_of(status);
}
