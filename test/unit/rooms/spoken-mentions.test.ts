import { expect, test } from "vitest";

import { spokenMentions } from "../../../agent/rooms/spoken-mentions.ts";

const NAMES = ["Ann", "Bob", "müller_1", "李雷"];

test.each([
  ["Ann, what do you think?", ["Ann"]],
  ["ANN and bob!", ["Ann", "Bob"]],
  ["bob, then ann, then bob", ["Ann", "Bob"]],
  ["Annabel asks Bobby", []],
  ["Frag MÜLLER_1.", ["müller_1"]],
  ["李雷 你好", ["李雷"]],
  ["", []],
])("%j names %j", (text, names) => {
  expect(spokenMentions(text, NAMES)).toEqual(names);
});
