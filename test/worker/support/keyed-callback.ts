// A request to a callback address that takes an Idempotency-Key, for `keyed-routes.ts`.
import type { Page } from "../../../protocol/schemas/common.ts";
import { ask } from "./api.ts";
import { addressOf } from "./callback-address.ts";
import { confirmation, openParked, provenConfirmation } from "./parked-session.ts";

export async function keyedCallback() {
  const parked = await openParked();
  const { call, path, reply, pending } = parked;
  return {
    path: (await addressOf(parked)).path,
    call: {},
    json: provenConfirmation(reply, pending),
    other: confirmation(reply, pending, { confirmed: false }),
    count: async () => {
      const events = `${path}/events?limit=100`;
      const { json } = await ask<Page<{ type: string }>>("GET", events, call);
      return json.data.filter(({ type }) => type === "USER_CONFIRM_RESULT").length;
    },
  };
}
