// Statements that have one value at a time: where somebody lives, what a name is. The value of a new one takes the place of the
// old. Others ("likes tea", "is allergic to nuts") may be true beside each other, and are kept beside each other.

const PREFIXES = [
  // English
  String.raw`(?:lives|resides|is living) (?:in|at)`,
  String.raw`works (?:at|for|as)(?: an?)?`,
  String.raw`(?:moved|relocated) to`,
  String.raw`(?:is|goes by|was) (?:called|named)`,
  String.raw`was born (?:in|on)`,
  String.raw`(?:name|surname|nickname|email|e mail|mail|email address|phone|phone number|address|home address|city|birthday|age|native language|language|time zone|timezone|employer|job|job title|budget|deadline)(?: is| was)(?: now| set to)*`,
  String.raw`favou?rite (?:\S+ ){1,3}(?:is|are)`,
  // German
  String.raw`(?:wohnt|lebt) (?:in|bei)`,
  String.raw`arbeitet (?:bei|als|fur|für)`,
  String.raw`(?:heißt|heisst)`,
  String.raw`(?:name|vorname|nachname|e mail|mail|adresse|anschrift|telefonnummer|handynummer|geburtstag|alter|muttersprache|sprache|zeitzone|arbeitgeber|beruf|budget|frist|termin) (?:ist|lautet)`,
  String.raw`lieblings\S+ (?:ist|sind)`,
  // Chinese
  String.raw`\S*(?:住在|名字是|名字叫|姓名是|生日是|地址是|电话是|邮箱是|年龄是|母语是|预算是)`,
  String.raw`\S*最喜欢的\S{1,6}是`,
  // Japanese
  String.raw`\S*(?:名前は|誕生日は|住所は|電話番号は|年齢は|予算は)`,
  String.raw`\S*(?:一番|いちばん)好きな\S{1,8}は`,
];

const SUFFIXES = [
  "years old",
  "jahre alt",
  "岁了?",
  "歳です",
  "歳",
  String.raw`に住んで\S*`,
  String.raw`に引っ越し\S*`,
  String.raw`で働いて\S*`,
];

const ENDS_WITH_PREFIX = new RegExp(String.raw`(?:^|\s)(?:${PREFIXES.join("|")})$`, "u");
const BEGINS_WITH_SUFFIX = new RegExp(String.raw`^(?:${SUFFIXES.join("|")})`, "u");

/**
 * Whether what stands between these texts is a value that there is one of.
 * @param before What two statements begin with, in the form of `comparable-text.ts`. @param after What they end with.
 */
export function isSingleValue(before: string, after: string): boolean {
  return ENDS_WITH_PREFIX.test(before) || BEGINS_WITH_SUFFIX.test(after);
}
