const MEANINGS: Readonly<Record<string, string>> = {
  read: "see the conversation",
  reply: "send messages",
  confirm: "approve and deny calls",
  edit: "change arguments when confirming",
  tool_result: "give results",
  interrupt: "stop replies",
  upload: "add files",
  speak: "talk by voice",
  memory: "read, correct and delete what is remembered",
};

/** A verb of a client token or of an issuer, with what it allows; one of a newer platform by its name. */
export function wordsOfVerb(verb: string): string {
  const meaning = Object.hasOwn(MEANINGS, verb) ? MEANINGS[verb] : undefined;
  return meaning === undefined ? verb : `${verb}: ${meaning}`;
}
