// Cloudflare's own chat agents. Their packages are bench/package.json's, and are not installed with the platform's.
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

import type { ObjectUsage } from "../cost/object-usage.ts";
import { openChatSocket, replayChat } from "../clients/chat-socket.ts";
import { writeScript } from "../model/model-script.ts";
import type { MockModel } from "../model/start-model.ts";
import { bundleService } from "../runtime/bundle-service.ts";
import { startWorkerd } from "../runtime/start-workerd.ts";
import type { Peer } from "./peer.ts";

const NAME = "cf-agents";

export function areAgentsInstalled(): boolean {
  return existsSync(fileURLToPath(new URL("../node_modules/agents", import.meta.url)));
}

export async function startAgents(model: MockModel): Promise<Peer> {
  const worker = await bundleService(NAME, "peers/cf-agents/worker.ts");
  const workerd = await startWorkerd([
    {
      ...worker,
      isPublic: true,
      objects: ["ChatAgent"],
      bindings: [
        { name: "ChatAgent", type: "objects", className: "ChatAgent" },
        { name: "MODEL", type: "text", text: model.baseUrl },
      ],
    },
  ]);
  const url = workerd.urlOf(NAME);
  return {
    name: NAME,
    pid: workerd.pid,
    async openSession() {
      const id = randomUUID();
      const address = `${url.replace("http", "ws")}/agents/chat-agent/${id}`;
      const socket = await openChatSocket(address);
      return {
        reply: (script) => socket.say(writeScript(script)),
        rowsWritten: () => read<number>(`/bench/rows?session=${id}`),
        storedBytes: () => read<number>(`/bench/bytes?session=${id}`),
        replay: () => replayChat(address),
        close: () => socket.close(),
      };
    },
    readObjects: () => read<ObjectUsage>("/bench/objects"),
    stop: () => workerd.stop(),
  };

  async function read<Value>(path: string): Promise<Value> {
    return (await (await fetch(url + path)).json()) as Value;
  }
}
