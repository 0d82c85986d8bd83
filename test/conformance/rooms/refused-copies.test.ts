// Forks and replays of a room are refused by name, as those of its participants' sessions are.
import { expect, it } from "vitest";

import type { Problem } from "../../../protocol/problem.ts";
import { request } from "../../support/platform-client.ts";
import { openRoom } from "./room-desk.ts";

it.each(["fork", "replay", "replays"])(
  "POST …/%s of a room says that a room has none, whoever asks and whichever room it is",
  async (copy) => {
    const { key, path, room } = await openRoom();
    const stranger = await openRoom();
    const asked = async (address: string, more: object = {}) => {
      const { status, body } = await request<Problem>("POST", `${address}/${copy}`, more);
      return [status, body.code];
    };

    expect([
      await asked(path, { key, body: { at: "end" } }),
      await asked(path, { key }),
      await asked(path, { key: stranger.key, body: {} }),
      await asked(`/v1/rooms/${room.id.slice(0, -1)}`, { key }),
      await asked(path),
    ]).toEqual(Array.from({ length: 5 }, () => [409, "room_not_copied"]));
    const { body } = await request<Problem>("POST", `${path}/${copy}`, { key });
    expect(body.detail).toContain(copy === "fork" ? "/state" : "replay that");
    expect((await request("GET", `${path}/${copy}`, { key })).status).toBe(404);
  },
);
