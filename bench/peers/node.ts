// Peer: a plain Node server with logs in memory, without isolation, durability or a proxy.
import { fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import { readStream } from "../clients/read-stream.ts";
import type { MockModel } from "../model/start-model.ts";
import { chatRequest } from "./chat-request.ts";
import type { Peer } from "./peer.ts";

export async function startNode(model: MockModel): Promise<Peer> {
  const entry = fileURLToPath(new URL("node-server.ts", import.meta.url));
  const child = fork(entry, [`${model.baseUrl}/chat/completions`]);
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  return {
    name: "node",
    pid: child.pid ?? 0,
    async openSession() {
      const url = `http://127.0.0.1:${port}/${randomUUID()}`;
      return { reply: (script) => readStream({ url, body: chatRequest(script) }) };
    },
    async stop() {
      child.kill();
    },
  };
}
