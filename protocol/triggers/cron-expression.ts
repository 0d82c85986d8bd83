// The grammar of cron expressions: five fields of POSIX with steps and names, and nothing that a library adds to them.

interface CronField {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** Names in place of numbers, the first one for `min`. */
  readonly names: readonly string[];
}

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const WEEKDAYS = "sun mon tue wed thu fri sat".split(" ");

const FIELDS: readonly CronField[] = [
  { name: "minute", min: 0, max: 59, names: [] },
  { name: "hour", min: 0, max: 23, names: [] },
  { name: "day of the month", min: 1, max: 31, names: [] },
  { name: "month", min: 1, max: 12, names: MONTHS },
  // Sunday is 0 and 7.
  { name: "day of the week", min: 0, max: 7, names: WEEKDAYS },
];

export type CronReading =
  | {
      readonly ok: true;
      /** The same expression in numbers, with one space between its fields. */
      readonly pattern: string;
      /** Its minute or hour begins with `*`: it is due in both hours where clocks go back. */
      readonly is_repeated: boolean;
    }
  /** The problem, as a sentence that begins behind the field's name. */
  | { readonly ok: false; readonly problem: string };

type FieldReading =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: string };

const ITEM = /^(?:(\*)|([a-z]+|\d{1,2})(?:-([a-z]+|\d{1,2}))?)(?:\/(\d{1,2}))?$/;

/** The reading of an expression; nothing is said of whether it is ever due. */
export function readCron(expression: string): CronReading {
  const fields = expression.trim().toLowerCase().split(/\s+/);
  if (fields[0]?.startsWith("@")) {
    return failed(`has ${fields[0]}; write five fields, such as 0 0 * * *`);
  }
  if (fields.length !== FIELDS.length) {
    return failed(
      `has ${fields.length} fields; five are needed: minute, hour, day of the month, month, day of the week`,
    );
  }
  const read: string[] = [];
  for (const [index, field] of FIELDS.entries()) {
    const reading = readField(fields[index] ?? "", field);
    if (!reading.ok) return reading;
    read.push(reading.text);
  }
  const [minute = "", hour = ""] = read;
  const is_repeated = minute.startsWith("*") || hour.startsWith("*");
  return { ok: true, pattern: read.join(" "), is_repeated };
}

function readField(text: string, field: CronField): FieldReading {
  const items: string[] = [];
  for (const item of text.split(",")) {
    const reading = readItem(item, field);
    if (!reading.ok) return reading;
    items.push(reading.text);
  }
  return { ok: true, text: items.join(",") };
}

function readItem(item: string, field: CronField): FieldReading {
  const [matched, star, first, last, step] = ITEM.exec(item) ?? [];
  if (matched === undefined) {
    return failed(
      `has "${item}" as the ${field.name}; *, numbers, ranges, lists and steps are read`,
    );
  }
  if (step !== undefined && star === undefined && last === undefined) {
    return failed(`has "${item}"; a step needs a range, such as ${first}-${field.max}/${step}`);
  }
  if (step !== undefined && (Number(step) < 1 || Number(step) > field.max)) {
    return failed(`has the step "${step}" for the ${field.name}, which is 1 to ${field.max}`);
  }
  const behind = step === undefined ? "" : `/${Number(step)}`;
  if (star !== undefined) return { ok: true, text: `*${behind}` };
  const from = toNumber(first, field);
  const to = last === undefined ? from : toNumber(last, field);
  if (from === null || to === null) {
    return failed(`has "${item}" as the ${field.name}, which is ${field.min} to ${field.max}`);
  }
  if (from > to) return failed(`has the range "${item}", which ends before it begins`);
  return { ok: true, text: last === undefined ? `${from}` : `${from}-${to}${behind}` };
}

function toNumber(text: string | undefined, { min, max, names }: CronField): number | null {
  if (text === undefined) return null;
  const place = names.indexOf(text);
  const number = place === -1 ? Number(text) : min + place;
  return Number.isInteger(number) && number >= min && number <= max ? number : null;
}

function failed(problem: string): { readonly ok: false; readonly problem: string } {
  return { ok: false, problem };
}
