// Words for the members of a room's API.
import type { Room } from "../../../sdk/index.ts";

type Order = Room["turns"]["order"];
type End = NonNullable<Room["last_end"]>["reason"];

export const WORDS_OF_ORDER: Readonly<Record<Order, string>> = {
  sequential: "one after the other",
  parallel: "all at once",
  mentioned: "whoever is mentioned",
  moderated: "as a moderator says",
};

export const WORDS_OF_END: Readonly<Record<End, string>> = {
  completed: "Everybody has had a turn.",
  max_rounds: "It has had as many rounds as it may.",
  max_tokens: "It has used the tokens that it may.",
  timeout: "It has had the time that it may.",
  interrupted: "It was interrupted.",
  moderator_failed: "Its moderator has failed, or has named nobody who is there.",
};
