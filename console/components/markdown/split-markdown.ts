const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/** Factor by which a part may get longer until it is ended where a paragraph goes on. */
const MAX_OVERSIZE = 3;

/**
 * A long text in parts that can be parsed by themselves: they end at an empty line outside of code, behind which no
 * indented line goes on with a list. A paragraph that is much longer than a part is cut at a line's end or at a space.
 */
export function splitMarkdown(text: string, partCharacters: number): readonly string[] {
  const lines = cutLines(text, partCharacters);
  const parts: string[] = [];
  let part: string[] = [];
  let size = 0;
  let fence: string | null = null;
  for (const [index, line] of lines.entries()) {
    part.push(line);
    size += line.length + 1;
    const mark = FENCE.exec(line)?.[1];
    if (mark !== undefined) {
      if (fence === null) fence = mark;
      else if (mark.startsWith(fence)) fence = null;
    }
    const next = lines[index + 1] ?? "";
    const isBreak = line.trim() === "" && !/^\s/.test(next);
    // The rows of a table mean nothing without its head.
    const isOversize = size >= MAX_OVERSIZE * partCharacters && /^[^|\s]/.test(next);
    if (size >= partCharacters && fence === null && (isBreak || isOversize)) {
      parts.push(part.join("\n"));
      part = [];
      size = 0;
    }
  }
  return part.length > 0 ? [...parts, part.join("\n")] : parts;
}

/** The lines; those that are longer than several parts are cut at spaces. Code is short enough, or has lines. */
function cutLines(text: string, partCharacters: number): readonly string[] {
  return text.split("\n").flatMap((line) => {
    if (line.length <= MAX_OVERSIZE * partCharacters) return [line];
    const pieces: string[] = [];
    let start = 0;
    while (line.length - start > partCharacters) {
      const space = line.lastIndexOf(" ", start + partCharacters - 1);
      const end = space > start ? space + 1 : start + partCharacters;
      pieces.push(line.slice(start, end));
      start = end;
    }
    return [...pieces, line.slice(start)];
  });
}
