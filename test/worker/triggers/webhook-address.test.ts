// The address of a trigger's webhook: signed, without an end of its own, and valid for nothing else.
import { describe, expect, it } from "vitest";

import { openToken, signToken } from "../../../storage/secrets/signed-token.ts";
import { openAddress, webhookAddress } from "../../../worker/triggers/webhook-address.ts";

const TRIGGER = { tenant_id: "ten_1", trigger_id: "trg_1" };
const [OLD, NEW] = [
  "an old pepper of thirty-two characters",
  "a new pepper of thirty-two characters",
];

function env(current: string, previous?: string): Env {
  return { KEY_PEPPER: current, KEY_PEPPER_PREVIOUS: previous } as Env;
}

async function tokenOf(current: string): Promise<string> {
  const address = await webhookAddress(env(current), "https://reprise.example", TRIGGER);
  return address.replace("https://reprise.example/v1/trigger-webhooks/", "");
}

describe("the address of a trigger", () => {
  it("names it, and is the same each time that it is made", async () => {
    const token = await tokenOf(OLD);

    expect(token).toMatch(/^tw_[\w.-]+$/);
    expect(await tokenOf(OLD)).toBe(token);
    expect(await openAddress(env(OLD), token)).toMatchObject(TRIGGER);
  });

  it("is known as made-up without a look at anything, whatever is changed", async () => {
    const token = await tokenOf(OLD);
    const [, , signature] = token.split(".");
    const claims = btoa(JSON.stringify({ ...TRIGGER, trigger_id: "trg_2", exp: 8e15 })).replaceAll(
      "=",
      "",
    );
    const forged = [
      "",
      "trg_1",
      token.slice(0, -1),
      `${token}x`,
      token.replace("tw_", "cb_"),
      `${token.split(".")[0]}.${claims}.${signature}`,
      await tokenOf(NEW),
      await signToken("callback", { ...TRIGGER, exp: 8e15 } as never, OLD),
    ];

    for (const one of forged) expect(await openAddress(env(OLD), one)).toBeNull();
  });

  it("outlives a rotation of the pepper while the old one is accepted", async () => {
    const token = await tokenOf(OLD);

    expect(await openAddress(env(NEW, OLD), token)).toMatchObject(TRIGGER);
    expect(await openAddress(env(NEW), token)).toBeNull();
  });

  it("opens nothing else", async () => {
    const token = await tokenOf(OLD);
    const purposes = ["callback", "task_callback", "client_token", "file_link"] as const;

    for (const purpose of purposes) {
      expect((await openToken(purpose, token, { current: OLD }, 0)).ok).toBe(false);
    }
  });
});
