// Labels of fields, from their names.

/** `system_prompt` → `System prompt`. */
export function labelOf(name: string): string {
  const words = name
    .replaceAll("_", " ")
    .replace(/\b(id|url|ms|ttl|oauth)\b/g, (word) => SHORT[word] ?? word);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A label within a sentence: `System prompt` → `system prompt`, and `OAuth` as it is. */
export function inSentence(label: string): string {
  return /^[A-Z]{2}/.test(label) ? label : label.toLowerCase();
}

const SHORT: Readonly<Record<string, string>> = {
  id: "id",
  url: "URL",
  ms: "ms",
  ttl: "TTL",
  oauth: "OAuth",
};
