// The verdict of a list is the strictest of its items, wherever in the list that item stands.
import { describe, expect, it } from "vitest";

import { checkCall } from "../../../agent/permission/check-call.ts";
import type { PermissionMode } from "../../../protocol/messages/permission.ts";
import { contextOf, WRITE, type Situation } from "./permission-tools.ts";

/** One item that a situation lets through, and items that it does not. */
interface Row {
  readonly title: string;
  readonly situation: Situation;
  readonly good: string;
  readonly bad: readonly string[];
  readonly verdict: { readonly behavior: string; readonly isSafetyAsk: boolean };
}

const DENIED = { behavior: "deny", isSafetyAsk: false };
const ASKED = { behavior: "ask", isSafetyAsk: false };
const DANGEROUS = { behavior: "ask", isSafetyAsk: true };

/** Ways to write a path that leads out of `/work`. */
const ENCODED_AWAY = [
  "/work/../etc/hosts",
  "/work/%2e%2e/etc/hosts",
  "/work/%252e%252e/etc/hosts",
  "/work\\..\\..\\etc\\hosts",
  "/work/x\0/../../work/y/../../etc/hosts",
];

const rows: readonly Row[] = [
  {
    title: "a deny rule",
    situation: { mode: "bypass", rules: ["deny Write /secret/**"] },
    good: "/open/a",
    bad: ["/secret/a", "/open/%2e%2e/secret/a", "/SECRET/a"],
    verdict: DENIED,
  },
  {
    title: "an ask rule",
    situation: { rules: ["ask Write /secret/**", "allow Write"] },
    good: "/open/a",
    bad: ["/secret/a", "/open/%2e%2e/secret/a"],
    verdict: ASKED,
  },
  {
    title: "an allow rule that one item does not fit",
    situation: { rules: ["allow Write /open/**"] },
    good: "/open/a",
    bad: ["/other/a", "/open/../a", "/open/%2e%2e/a"],
    verdict: ASKED,
  },
  {
    title: "a dangerous path",
    situation: { rules: ["allow Write"] },
    good: "/work/a",
    bad: ["/work/.git/config", "/work/%2egit/config", "/work/%252egit/config", "~/.ssh/id"],
    verdict: DANGEROUS,
  },
  {
    title: "a path that cannot be read with certainty",
    situation: { rules: ["allow Write"] },
    good: "/work/a",
    bad: ["/work/%ff", "/work/%2525252561"],
    verdict: DANGEROUS,
  },
  {
    title: "accept_edits outside of the working directories",
    situation: { mode: "accept_edits", directories: ["/work", "/also"] },
    good: "/work/a",
    bad: ["/etc/hosts", "/work", ...ENCODED_AWAY],
    verdict: ASKED,
  },
  {
    title: "dont_ask outside of the working directories",
    situation: { mode: "dont_ask", directories: ["/work"] },
    good: "/work/a",
    bad: ["/etc/hosts", ...ENCODED_AWAY],
    verdict: DENIED,
  },
];

function verdictOf(situation: Situation, file_path: string | readonly string[]) {
  const { behavior, isSafetyAsk } = checkCall(contextOf(situation), WRITE, { file_path });
  return { behavior, isSafetyAsk };
}

describe("a list of paths", () => {
  it.each(rows)(
    "has the verdict of its worst item: $title",
    ({ situation, good, bad, verdict }) => {
      const allowed = { behavior: "allow", isSafetyAsk: false };
      expect([verdictOf(situation, good), verdictOf(situation, [good, good])]).toEqual([
        allowed,
        allowed,
      ]);
      for (const item of bad) {
        const lists = [item, [item], [item, good], [good, item], [good, item, good], [item, item]];
        expect([item, ...lists.map((list) => verdictOf(situation, list))]).toEqual([
          item,
          ...lists.map(() => verdict),
        ]);
      }
    },
  );

  it("is never let through further than each of its items is by itself", () => {
    const severity = { allow: 0, ask: 1, deny: 2 };
    const items = ["/work/a", "/work/.env", "/etc/hosts", "/secret/a", "/asked/a", "/open/a"];
    const rules = ["deny Write /secret/**", "ask Write /asked/**", "allow Write /open/**"];
    // Not `explore`: there a question that an ask rule wants comes before the refusal of everything else.
    const modes: readonly PermissionMode[] = ["default", "accept_edits", "dont_ask", "bypass"];
    for (const mode of modes) {
      const situation = { mode, rules, directories: ["/work"] };
      for (const list of items.flatMap((first) => items.map((second) => [first, second]))) {
        const alone = list.map((item) => severity[verdictOf(situation, item).behavior]);
        const together = severity[verdictOf(situation, list).behavior];
        expect([mode, list, together >= Math.max(...alone)]).toEqual([mode, list, true]);
      }
    }
  });
});
