"""What all kernels are compiled with, whoever starts them."""

# A product and a sum in one instruction, rounded once: half the time of `activate`. Triton's own
# choice, but only up to 3.9; said here, it is the same with any release.
FUSED = {"enable_fp_fusion": True}
