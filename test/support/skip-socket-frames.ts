// Frames of a WebSocket in the bytes of its connection, for a proxy that cuts between them.

const HEAD_END = "\r\n\r\n";

/**
 * @returns how many bytes of each piece belong to the first frames that a server sends: its head is the first of them. Pongs
 * and closes are frames as well.
 */
export function skipSocketFrames(frames: number): (bytes: Buffer) => number {
  let wanted = frames;
  /** Of the frame that is being read, as far as its length is not known. */
  let head = Buffer.alloc(0);
  let isInHead = true;
  /** Bytes of the frame's content that have not come. */
  let missing = 0;
  return (bytes) => {
    let at = 0;
    while (at < bytes.length && wanted > 0) {
      if (missing > 0) {
        const taken = Math.min(missing, bytes.length - at);
        missing -= taken;
        at += taken;
      } else {
        head = Buffer.concat([head, bytes.subarray(at, at + 1)]);
        at += 1;
        const size = isInHead ? null : contentSize(head);
        const isHeadOver = isInHead && head.toString("latin1").endsWith(HEAD_END);
        if (size === null && !isHeadOver) continue;
        missing = size ?? 0;
        isInHead = false;
        head = Buffer.alloc(0);
      }
      if (missing === 0) wanted -= 1;
    }
    return at;
  };
}

/** Bytes behind the head of a frame; null while the head is not whole. A server does not mask. */
function contentSize(head: Buffer): number | null {
  const short = head.length < 2 ? null : head.readUInt8(1) & 0x7f;
  if (short === null || short < 126) return short;
  if (short === 126) return head.length < 4 ? null : head.readUInt16BE(2);
  return head.length < 10 ? null : Number(head.readBigUInt64BE(2));
}
