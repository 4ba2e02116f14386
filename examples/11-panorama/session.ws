# A panorama of 16 x 4 pixels; pixel x of row y is 16 y + x. Is there a seam where pixel 15 meets pixel 0?
load panorama.ptx
texture image f32[16,4] = iota address wrap,clamp
buffer out f32[64] = zero
run blur<<<(1,1), (16,4)>>>(image, 1, 1, 16, 4, out)
print out[0..3]
# In the middle the mean is right: out[1] is (0 + 1 + 2) / 3. But out[0] should be (15 + 0 + 1) / 3 = 5.33. What does row 0 read first?
set history on
launch blur<<<(1,1), (16,1)>>>(image, 1, 1, 16, 4, out)
break panorama.cu:17
continue
info access
# Lane 0 asks for x = -0.5 and gets image[0,0], the pixel at the edge. So pixel 0 counts twice:
stepi 5
why %f9 3
# Clamped, though the texture says wrap:
info textures
# Wrap and mirror need coordinates from 0 to 1. Without `normalized` (cudaTextureDesc.normalizedCoords = 1) CUDA clamps. With it, and scales that fit:
delete
continue
texture image f32[16,4] = iota address wrap,clamp normalized
run blur<<<(1,1), (16,4)>>>(image, 0.0625, 0.25, 16, 4, out)
print out[0..3]
assert out[0] == 16.0f / 3 && out[15] == 29.0f / 3
