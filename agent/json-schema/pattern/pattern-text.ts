// A text as code points, readable from either end.

export class PatternText {
  /** Code points. */
  readonly characters: Int32Array;
  #reversed: Int32Array | null = null;

  constructor(text: string) {
    const characters = new Int32Array(text.length);
    let count = 0;
    for (let at = 0; at < text.length; count += 1) {
      const character = text.codePointAt(at) ?? 0;
      characters[count] = character;
      at += character > 0xffff ? 2 : 1;
    }
    this.characters = characters.subarray(0, count);
  }

  get reversed(): Int32Array {
    return (this.#reversed ??= this.characters.slice().reverse());
  }
}
