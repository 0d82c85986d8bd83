// Comments without a head: their first word stands for a thing that they do not name.
import { parseSync, type Comment } from "oxc-parser";

/** The first word of a comment, behind the stars of a block. */
const HEADLESS = /^[\s*]*(?:What|Who|Which|Where|How|It|Those|They)\b/i;

/**
 * The comments of a source whose first word is What, Who, Which, Where, How, It, Those or They, each as its line's
 * number and its first line. Consecutive lines of `//` are one comment, except behind code.
 */
export function findHeadlessComments(path: string, source: string): readonly string[] {
  const headless: string[] = [];
  let previous: Comment | null = null;
  for (const comment of parseSync(path, source).comments) {
    if (!isContinued(source, previous, comment) && HEADLESS.test(comment.value)) {
      const line = source.slice(0, comment.start).split("\n").length;
      const [first = ""] = comment.value.replace(/^[\s*]+/, "").split("\n");
      headless.push(`${path}:${line} ${first.trim()}`);
    }
    previous = comment;
  }
  return headless;
}

/** Whether a line of `//` goes on with the comment of the line above it. */
function isContinued(source: string, previous: Comment | null, comment: Comment): boolean {
  if (previous?.type !== "Line" || comment.type !== "Line") return false;
  return (
    /^\n[ \t]*$/.test(source.slice(previous.end, comment.start)) && isAlone(source, previous.start)
  );
}

function isAlone(source: string, start: number): boolean {
  return source.slice(source.lastIndexOf("\n", start - 1) + 1, start).trim() === "";
}
