// Lists the names under which deny and ask rules match a command and its parts. Computed once per call, for all rules.
import { addStarts, MAX_PROGRAMS } from "./find-programs.ts";
import type { FullCommand, FullPart } from "./read-nested-commands.ts";

export interface CommandName {
  /** The name in lower case. */
  readonly text: string;
  /** The text before the first word that is known only at run time; null when all are known. */
  readonly known: string | null;
}

/** The whole command as it was given, then its parts. Most parts have one name, and most commands one part. */
export function listCommandNames(command: FullCommand): readonly CommandName[] {
  if (!command.isReadable) return [];
  const whole: CommandName = { text: command.text.toLowerCase(), known: null };
  const names = new Map<string, CommandName>();
  for (const { text, known } of [whole, ...command.parts.flatMap(namesOfPart)]) {
    const key = known === null ? text : `${known}\0${text}`;
    if (!names.has(key)) names.set(key, { text, known });
  }
  return [...names.values()];
}

/**
 * Names of a part: as written; without quotes; from each of its programs on, by the bare name; and without options
 * between a program and its subcommand, as in `git -C /x push`.
 */
function namesOfPart(part: FullPart): readonly CommandName[] {
  const texts = part.words.map((word) => word.text.toLowerCase());
  const offsets: number[] = [];
  let length = 0;
  for (const text of texts) {
    offsets.push(length);
    length += text.length + 1;
  }
  const joined = texts.join(" ");
  const firstUnknown = part.words.findIndex((word) => word.isUnknown);
  const unknownAt = firstUnknown < 0 ? Infinity : (offsets[firstUnknown] ?? 0);

  const names: CommandName[] = [
    { text: part.source.toLowerCase(), known: null },
    withKnown(joined, unknownAt),
  ];
  for (const { start, name } of part.programs) {
    const from = (offsets[start] ?? 0) + (texts[start]?.length ?? 0);
    if (name === "") {
      names.push({ text: joined.slice(from), known: "" });
      continue;
    }
    const add = (at: number): void => {
      const text = name + joined.slice(at);
      names.push(withKnown(text, unknownAt - at + name.length));
    };
    add(from);
    if (!part.words[start + 1]?.text.startsWith("-")) continue;
    const subcommands = new Set<number>();
    addStarts(part.words, start + 1, 0, subcommands);
    for (const subcommand of subcommands) add((offsets[subcommand] ?? 0) - 1);
    if (subcommands.size > MAX_PROGRAMS) names.push({ text: name, known: `${name} ` });
  }
  return names;
}

function withKnown(text: string, unknownAt: number): CommandName {
  return { text, known: unknownAt === Infinity ? null : text.slice(0, Math.max(0, unknownAt)) };
}
