/**
 * The length of `text` in UTF-8 bytes, computed without an encoder, which the language alone does not have. A lone
 * surrogate counts as the replacement character that an encoder would write.
 */
export function utf8Bytes(text: string): number {
  let bytes = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (unit >= 0xd800 && unit < 0xdc00 && isLowSurrogate(text.charCodeAt(index + 1))) {
      bytes += 4;
      index += 1;
    } else bytes += 3;
  }
  return bytes;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}

/** The beginning of `text` of at most so many bytes in UTF-8, without half a character. */
export function withinBytes(text: string, bytes: number): string {
  if (text.length * 3 <= bytes) return text;
  let room = bytes;
  for (let index = 0; index < text.length; index += 1) {
    const isPair = isHighSurrogate(text.charCodeAt(index)) && index + 1 < text.length;
    const character = text.slice(index, index + (isPair ? 2 : 1));
    room -= utf8Bytes(character);
    if (room < 0) return text.slice(0, index);
    if (isPair) index += 1;
  }
  return text;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}
