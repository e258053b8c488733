// Frees the memory of large buffers at once. The garbage collector runs late, because it hardly counts the bytes of buffers.

/** The buffer is empty afterwards. A buffer that shares its memory with others, as small ones do, stays as it is. */
export function freeBuffer({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

/** Joins the parts and frees each, so that most bytes are in memory only once. The parts may not be used afterwards. */
export function joinAndFree(parts: readonly Buffer[]): Buffer {
  const whole = Buffer.allocUnsafeSlow(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    at += part.copy(whole, at);
    freeBuffer(part);
  }
  return whole;
}
