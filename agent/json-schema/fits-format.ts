// Checks the keyword `format`. Formats that are not known are annotations and are not checked, as the standard says.
import type { Checker } from "./visit.ts";

const LABEL = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?";
const HOST = `${LABEL}(?:\\.${LABEL})*`;
const BYTE = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
const IPV4 = `${BYTE}(?:\\.${BYTE}){3}`;
const GROUP = "[0-9a-fA-F]{1,4}";
/** Eight groups, of which the last two may be written as IPv4, and one run of zeros left out. */
const IPV6 = [
  `(?:${GROUP}:){7}${GROUP}`,
  `(?:${GROUP}:){6}${IPV4}`,
  ...[0, 1, 2, 3, 4, 5, 6].map((before) => {
    const head = before === 0 ? "" : `${GROUP}(?::${GROUP}){0,${before - 1}}`;
    const exact = before === 0 ? "" : `${GROUP}(?::${GROUP}){${before - 1}}`;
    const left = 6 - before;
    const groups = `(?:${GROUP}(?::${GROUP}){0,${left}})?`;
    const old = left > 0 ? `|${head}::(?:${GROUP}:){0,${left - 1}}${IPV4}` : "";
    return `${exact}::${groups}${old}`;
  }),
  `(?:${GROUP}:){6}${GROUP}::`,
].join("|");
const DATE = "[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])";
const TIME =
  "(?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60)(?:\\.[0-9]+)?(?:[zZ]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])";
const CLOCK = "(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S)";
const DAYS = "(?:[0-9]+Y(?:[0-9]+M(?:[0-9]+D)?)?|[0-9]+M(?:[0-9]+D)?|[0-9]+D)";
const NAME = "[a-zA-Z0-9!#$%&'*+/=?^_`{|}~-]+";
const QUOTED = '"(?:[ !#-\\[\\]-~]|\\\\[ -~])*"';
/** The characters of a URI after its scheme; percent signs need two hex digits. */
const URI_CHARACTER = "(?:[a-zA-Z0-9._~!$&'()*+,;=:@/?-]|%[0-9a-fA-F]{2})";
const AUTHORITY =
  "(?:(?:[a-zA-Z0-9._~!$&'()*+,;=:-]|%[0-9a-fA-F]{2})*@)?(?:\\[[0-9a-fA-F:.vV]+\\]|(?:[a-zA-Z0-9._~!$&'()*+,;=-]|%[0-9a-fA-F]{2})*)(?::[0-9]*)?";
const URI_REST = `(?://${AUTHORITY}(?:[/?]${URI_CHARACTER}*)?|${URI_CHARACTER}*)(?:#${URI_CHARACTER}*)?`;

const POINTER = "(?:/(?:[^~/]|~[01])*)*";

const PATTERNS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    date: DATE,
    time: TIME,
    "date-time": `${DATE}[tT ]${TIME}`,
    duration: `P(?:[0-9]+W|${DAYS}(?:T${CLOCK})?|T${CLOCK})`,
    email: `(?:${NAME}(?:\\.${NAME})*|${QUOTED})@(?:${HOST}|\\[${IPV4}\\]|\\[IPv6:(?:${IPV6})\\])`,
    hostname: HOST,
    ipv4: IPV4,
    ipv6: IPV6,
    uri: `[a-zA-Z][a-zA-Z0-9+.-]*:${URI_REST}`,
    "uri-reference": `(?:[a-zA-Z][a-zA-Z0-9+.-]*:)?${URI_REST}`,
    uuid: "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}",
    "json-pointer": POINTER,
    "relative-json-pointer": `(?:0|[1-9][0-9]*)(?:#|${POINTER})`,
  }).map(([format, pattern]) => [format, `^(?:${pattern})$`]),
);

/** Maximal length of a host name, RFC 1123. */
const MAX_HOST_CHARACTERS = 253;
const MAX_LOCAL_PART_CHARACTERS = 64;

/** True for an unknown format. */
export function fitsFormat(format: string, text: string, checker: Checker): boolean {
  if (format === "regex") return checker.isRegularExpression(text);
  const pattern = PATTERNS.get(format);
  if (pattern === undefined) return true;
  return checker.finds(pattern, text) && fitsBeyondPattern(format, text);
}

function fitsBeyondPattern(format: string, text: string): boolean {
  switch (format) {
    case "date":
    case "date-time":
      return (
        isDay(text.slice(0, "2026-01-01".length)) && isSecond(text.slice("2026-01-01T".length))
      );
    case "time":
      return isSecond(text);
    case "hostname":
      return text.length <= MAX_HOST_CHARACTERS;
    case "email": {
      const at = text.lastIndexOf("@");
      return at <= MAX_LOCAL_PART_CHARACTERS && text.length - at - 1 <= MAX_HOST_CHARACTERS;
    }
    default:
      return true;
  }
}

/** @param date Matches the pattern already. */
function isDay(date: string): boolean {
  const [year = 0, month = 0, day = 0] = date.split("-").map(Number);
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  if (month === 2) return day <= (isLeap ? 29 : 28);
  return day <= ([4, 6, 9, 11].includes(month) ? 30 : 31);
}

/** A leap second is valid only at the end of a day in UTC. */
function isSecond(time: string): boolean {
  const [, hour, minute, second, sign, offsetHour = "0", offsetMinute = "0"] =
    /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[zZ]|([+-])(\d\d):(\d\d))$/.exec(time) ?? [];
  if (second !== "60") return true;
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === "-" ? -1 : 1);
  const minutes = Number(hour) * 60 + Number(minute) - offset;
  return (minutes + 2 * 1_440) % 1_440 === 1_439;
}
