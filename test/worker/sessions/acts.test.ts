// Effects of a request's Idempotency-Key in the table of acts.
import { expect, it } from "vitest";

import { performAct } from "../../../durable-objects/acts/perform-act.ts";
import { withHeldSession } from "./held-session.ts";
import { KEY } from "../confirmations/parked.ts";
import { valueOf } from "./session.ts";

const RULE = { tool_name: "safe", rule_content: null, behavior: "deny", source: "user" } as const;
const keyed = (fingerprint: string) => ({ idempotency: { key: "k", fingerprint } });

it("an act that can make its answer again keeps the key", () =>
  withHeldSession({}, async ({ session }) => {
    const options = { actor: KEY, ...keyed("f") };
    const added = valueOf(await performAct(session, "addRules", [RULE], options));
    expect(await performAct(session, "addRules", [RULE], options)).toEqual({
      ok: true,
      value: added,
      is_replayed: true,
    });
    const other = [{ ...RULE, tool_name: "refund" }];
    expect(
      await performAct(session, "addRules", other, { actor: KEY, ...keyed("g") }),
    ).toMatchObject({ ok: false, refusal: { code: "idempotency_key_reused" } });
    expect(session.tables.rules.all()).toEqual(added);
  }));

it("rules that a Worker of the release before has added are answered with to its request again, by either Worker", () =>
  withHeldSession({}, async ({ session }) => {
    const options = { actor: KEY, ...keyed("f") };
    const added = valueOf(await performAct(session, "addRules", [RULE], options));
    const warnings = [{ pointer: "#/rules/0", detail: "says nothing by now" }];
    const write = { rules: [RULE], warnings, is_strict: true };

    expect(valueOf(await performAct(session, "writeRules", write, options))).toEqual({
      data: added,
    });
    expect(valueOf(await performAct(session, "addRules", [RULE], options))).toEqual(added);
  }));

it("any other act ignores the key", () =>
  withHeldSession({}, async ({ session }) => {
    const actor = { actor: KEY };
    const [rule] = valueOf(await performAct(session, "addRules", [RULE], actor));
    const removed = [
      await performAct(session, "removeRule", rule?.id, keyed("f")),
      await performAct(session, "removeRule", rule?.id, keyed("f")),
    ];
    expect(removed).toMatchObject([
      { ok: true, value: null },
      { ok: false, refusal: { code: "not_found" } },
    ]);
    expect(removed.map((one) => "is_replayed" in one)).toEqual([false, false]);
  }));
