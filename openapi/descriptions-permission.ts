// What the document says about how a tool's calls are held against rules.

export const PERMISSION_FIELD_DESCRIPTIONS: Readonly<Record<string, string>> = {
  edits_files:
    "It changes the file that `rule_argument` names: in mode accept_edits it runs without asking inside the session's working directories.",
  rule_argument:
    "JSON pointer of the part of the input that rules with a content look at, such as `/path`; without it such rules match no call of the tool.",
  editable:
    "JSON pointers of what a confirmation may change in the call's input, such as `/amount`; a pointer covers all below it. Any part when left out, none when empty.",
  rule_syntax:
    "How a rule's content is held against it: `exact`, `glob`, `path` or `command`; exact when left out. `path` and `command` bring checks of dangerous files and commands.",
};
