/** @module-tag broad */
// The platform is killed with kill -9 while triggers run, by a schedule, by a webhook and by hand, for an agent and in a room: each
// run is there once, with one reply or one message in the room.
import { expect, test } from "vitest";

import { getTextContent, Reprise, type TriggerRun } from "../../../sdk/index.ts";
import { mortalPlatform } from "../../support/mortal-platform.ts";
import { SENDER_SECRETS, signDelivery } from "../../support/sender-signatures.ts";
import { waitFor } from "../../support/wait-for.ts";

/** Milliseconds behind the listed time at which the platform is killed: from before its alarm to behind the end of a run. */
const MOMENTS_MS = [0, 30, 80, 150, 300, 700];
/** Milliseconds from the making of a trigger to its time. */
const DUE_MS = 1_500;
const ROOM_SCRIPT = "Shall we?\n/say Yes.\n/say /say No.";
/** For hangs only: a reply whose machine was lost is looked at after half a minute. */
const HANG_MS = 1_200_000;

const platform = mortalPlatform();

/** Requests around one kill. */
interface Round {
  readonly roomId: string;
  /** Of the schedule, of the schedule in the room, of the webhook, by hand, by hand in the room. */
  readonly triggers: readonly string[];
  /** Sends the delivery, and asks by hand; the same ones again are no others. @returns whether all were taken. */
  readonly ask: () => Promise<boolean>;
}

async function reach(apiKey: string): Promise<Reprise> {
  const { base_url: baseUrl } = await platform.running();
  return new Reprise({ baseUrl, apiKey });
}

async function prepare(apiKey: string, agent_id: string): Promise<Round & { readonly at: number }> {
  const reprise = await reach(apiKey);
  const { triggers } = reprise;
  const participants = ["ann", "bob"].map((name) => ({ name, agent_id }));
  const room = await reprise.rooms.create({ participants });
  const ofAgent = { name: "T", agent_id, input: "/say Done." };
  const ofRoom = { name: "T", room_id: room.id, input: ROOM_SCRIPT };
  const webhook = { form: "github", secret: SENDER_SECRETS.github } as const;
  const hooked = await triggers.create({ ...ofAgent, webhook });
  const byHand = await triggers.create(ofAgent);
  const inRoom = await reprise.rooms.create({ participants });
  const handInRoom = await triggers.create({ ...ofRoom, room_id: inRoom.id });
  const at = Date.now() + DUE_MS;
  const schedule = { type: "once", run_at: new Date(at).toISOString() } as const;
  const timed = await Promise.all([
    triggers.create({ ...ofAgent, schedule }),
    triggers.create({ ...ofRoom, schedule }),
  ]);
  const path = new URL(hooked.webhook?.url ?? "").pathname;
  const delivery = signDelivery("github", { id: "d-1", seconds: Math.floor(at / 1_000) });
  const requests: readonly [string, RequestInit][] = [
    [path, { headers: delivery.headers, body: delivery.body }],
    ...[byHand, handInRoom].map(({ id }): [string, RequestInit] => [
      `/v1/triggers/${id}/runs`,
      {
        headers: {
          authorization: `Bearer ${apiKey}`,
          "content-type": "application/json",
          "idempotency-key": "once",
        },
        body: "{}",
      },
    ]),
  ];
  return {
    at,
    roomId: room.id,
    triggers: [...timed, hooked, byHand, handInRoom].map(({ id }) => id),
    async ask() {
      const { base_url } = await platform.running();
      const answers = await Promise.allSettled(
        requests.map(([to, init]) => fetch(base_url + to, { method: "POST", ...init })),
      );
      return answers.every((one) => one.status === "fulfilled" && one.value.status === 202);
    },
  };
}

async function runsOf(reprise: Reprise, { triggers }: Round): Promise<readonly TriggerRun[]> {
  const pages = triggers.map((id) => reprise.triggers.runs(id).list({ limit: 100 }).page());
  return (await Promise.all(pages)).flatMap(({ data }) => data);
}

test(
  "each run of a trigger is there once, whenever the platform is killed",
  async () => {
    const apiKey = await platform.createTenant();
    const { id: agent_id } = await (await reach(apiKey)).agents.create({ name: "Reporter" });
    const rounds: Round[] = [];
    for (const momentMs of MOMENTS_MS) {
      const round = await prepare(apiKey, agent_id);
      rounds.push(round);
      await pause(round.at - Date.now());
      const asking = round.ask();
      await pause(momentMs);
      await platform.kill();
      await asking;
    }
    for (const { ask } of rounds) {
      await waitFor(async () => expect(await ask()).toBe(true));
    }
    const reprise = await reach(apiKey);

    const runs: TriggerRun[] = [];
    for (const round of rounds) {
      const ended = await waitFor(async () => {
        const found = await runsOf(reprise, round);
        const open = found.filter(({ status }) => status === "pending" || status === "running");
        expect([found.length >= round.triggers.length, open]).toEqual([true, []]);
        return found;
      });
      runs.push(...ended);
    }
    const places = await Promise.all(
      rounds.map(async ({ roomId }) => {
        const { data } = await reprise.room(roomId).messages({ limit: 100 }).page();
        return data.map((said) => `${said.name}: ${getTextContent(said)?.split("\n", 1)[0]}`);
      }),
    );
    const sessions = runs.flatMap(({ session_id }) => session_id ?? []);
    const replies = await Promise.all(
      sessions.map(async (id) => (await reprise.session(id).replies.list().page()).data.length),
    );
    const listed = await reprise.sessions.list({ agent_id, limit: 100 }).page();
    const ofRooms = listed.data.filter(({ room_id }) => room_id !== null);

    expect(runs.map(({ status, error }) => [status, error])).toEqual(
      rounds.flatMap(({ triggers }) => triggers.map(() => ["succeeded", null])),
    );
    expect(places).toEqual(rounds.map(() => ["room: Shall we?", "ann: Yes.", "bob: No."]));
    expect(replies).toEqual(sessions.map(() => 1));
    expect(listed.data.length - ofRooms.length).toBe(sessions.length);
    expect(new Set(sessions).size).toBe(3 * rounds.length);
  },
  HANG_MS,
);

function pause(waitMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(waitMs, 0)));
}
