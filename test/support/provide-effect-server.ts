// The tools and the model provider of the crash matrix, for tests in workerd, which cannot listen themselves.
import type { TestProject } from "vitest/node";

import { HANG_HEADER, startEffectServer } from "./effect-server.ts";
import { paced, startFakeOpenAi, type FakeTurn } from "./fake-openai.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Without a slash at its end. */
    readonly effectServerUrl: string;
    /** For `base_url`. A request that is told to hang gets some words and nothing more. */
    readonly pacedModelUrl: string;
  }
}

const TOKENS = 12;
const TOKENS_PER_SECOND = 300;

const talk: FakeTurn = (stream, request) => {
  if (request.headers[HANG_HEADER] === undefined) {
    return paced(TOKENS, TOKENS_PER_SECOND)(stream, request);
  }
  stream.text("Once upon a");
};

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [tools, model] = await Promise.all([startEffectServer(), startFakeOpenAi(talk)]);
  project.provide("effectServerUrl", tools.url);
  project.provide("pacedModelUrl", model.baseUrl);
  return async () => {
    await Promise.all([tools.stop(), model.stop()]);
  };
}
