// How long a client waits for the first token of a model that answers at once.
import { says, startFakeOpenAi, tokenText } from "../test/support/fake-openai.ts";
import type { Runtime } from "./runtime.ts";
import { openFloor, openReply } from "./streams.ts";
import { createTenant } from "./tenant.ts";

const WARM_UP = 5;
const ROUNDS = 30;

export interface FirstTokens {
  readonly floorMs: readonly number[];
  readonly platformMs: readonly number[];
}

/** From the moment of the request; the session is open already, its object awake. */
export async function measureFirstToken(runtime: Runtime): Promise<FirstTokens> {
  const model = await startFakeOpenAi(says(tokenText(0)));
  try {
    const tenant = await createTenant(runtime, model.baseUrl);
    const floorMs: number[] = [];
    const platformMs: number[] = [];
    for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
      const session = await tenant.openSession();
      const floor = await timeFirstToken(() => openFloor(runtime, model.baseUrl));
      const platform = await timeFirstToken(() => openReply(runtime, tenant, session));
      if (round < WARM_UP) continue;
      floorMs.push(floor);
      platformMs.push(platform);
    }
    return { floorMs, platformMs };
  } finally {
    await model.stop();
  }
}

async function timeFirstToken(open: () => Promise<Response>): Promise<number> {
  const startedAtMs = performance.now();
  const response = await open();
  let firstMs = Number.NaN;
  let seen = "";
  for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    seen += text;
    if (Number.isNaN(firstMs) && seen.includes(tokenText(0))) {
      firstMs = performance.now() - startedAtMs;
    }
  }
  if (Number.isNaN(firstMs)) throw new Error(`no token came: ${response.status} ${seen}`);
  return firstMs;
}
