// Searches in stores of long-term memory, by words and by what they mean, beside the same search in a store of ten memories.
import type { Bench, Cell, Figure } from "../cell.ts";
import { readBody } from "../clients/read-body.ts";
import { readPath } from "../clients/read-path.ts";
import { rarePair, rareWord } from "../memory/texts.ts";
import { startEmbedder } from "../memory/start-embedder.ts";
import { readString } from "../../scripts/local-api.ts";
import { quantile } from "../statistics.ts";

/** Memories of the floor, of the default quota, and of the largest one. */
const FLOOR = 10;
const SIZES = [10_000, 100_000] as const;
/** Milliseconds of a search, at the 95th percentile. */
const MAX_MS: Readonly<Record<number, number>> = { 10_000: 50, 100_000: 150 };
const DIMENSIONS = 1_024;
/** Searches of each kind in a round. */
const TIMES = 40;
/** Written at once, as a multiple of the codes of a row. */
const FILLED_AT_ONCE = 2_048;

/** By name: the search number `time` in a store of this size. */
const SEARCHES: Readonly<Record<string, (time: number, size: number) => string>> = {
  "a word that all have": () => "customer",
  "a word that one has": (time, size) => rareWord((time * 97) % size),
  "a word that none has, whose beginning all have": () => "customs",
  "forty such words": () => unknownWords(),
  "two words that half of them have, and none both": () => "alphabet betamax",
  "a part of a compound": () => "versicherung",
  "two characters that all have": () => "顧客",
  "two characters that few have": (time, size) => rarePair((time * 97) % size),
  "a text of forty words": (time, size) =>
    `Good morning, I am the customer who asked for the alphabet and the betamax near the castle, and I would like to know whether my order ${rareWord((time * 97) % size)} comes with green tea, black coffee, cold milk, apple juice or mint lemonade 顧客は東京タワーの近くに住んでいる`,
};

/** Words that no memory has, with each beginning of those that all have. */
function unknownWords(): string {
  const words = ["customer", "morning", "alphabet", "betamax", "likes", "asked", "order", "coffee"];
  return words
    .flatMap((word) => [5, 6, 7, 8, 9].map((length) => `${word.slice(0, length - 1)}q`))
    .join(" ");
}

export const memory: Cell = {
  name: "memory",
  title: `the 95th percentile (p95) of ${TIMES} searches in a store of memories, beside those in a store of ${FLOOR} (raw)`,
  isQuick: false,
  async run(bench) {
    const embedder = await startEmbedder();
    try {
      return await measure(bench, embedder.baseUrl);
    } finally {
      embedder.stop();
    }
  },
};

async function measure(bench: Bench, embedderUrl: string): Promise<readonly Figure[]> {
  const embedding = { name: "bench", base_url: embedderUrl, dimensions: DIMENSIONS };
  const stores = new Map<number, BenchStore>();
  for (const size of [FLOOR, ...SIZES]) stores.set(size, await openStore(bench, size, embedding));
  const samples = new Map<string, number[]>();
  const keep = (name: string, size: number, value: number): void => {
    const key = `${name} ${size}`;
    samples.set(key, [...(samples.get(key) ?? []), value]);
  };
  for (const [mode, wanted] of [
    ["", null],
    [" and meaning", embedding],
  ] as const) {
    for (const store of stores.values()) await store.embedWith(wanted);
    for (let round = 0; round <= bench.rounds; round += 1) {
      for (const [name, textOf] of Object.entries(SEARCHES)) {
        for (const [size, store] of stores) {
          const p95 = await percentile(TIMES, (time) => store.search(textOf(time, size)));
          // The first round is a warm-up.
          if (round > 0) keep(`${name}${mode}`, size, p95);
        }
      }
    }
  }
  const endpoint: number[] = [];
  for (let round = 1; round <= bench.rounds; round += 1) {
    const body = JSON.stringify({ model: "bench", input: ["customer"], dimensions: DIMENSIONS });
    const url = `${embedderUrl}/embeddings`;
    endpoint.push(await percentile(TIMES, () => readBody({ url, method: "POST", body })));
  }
  const names = ["", " and meaning"].flatMap((mode) =>
    Object.keys(SEARCHES).map((name) => `${name}${mode}`),
  );
  return [
    ...SIZES.flatMap((size) =>
      names.map((name): Figure => ({
        name: `${size.toLocaleString("en-US")}: ${name}`,
        unit: "ms",
        samples: {
          raw: samples.get(`${name} ${FLOOR}`) ?? [],
          reprise: samples.get(`${name} ${size}`) ?? [],
        },
        targets: [{ type: "value", max: MAX_MS[size] ?? Infinity }],
      })),
    ),
    { name: "the endpoint for embeddings by itself", unit: "ms", samples: { reprise: endpoint } },
  ];
}

interface BenchStore {
  /** @throws when nothing is found, or not in all ways. */
  search(words: string): Promise<void>;
  /** Changes the agent's endpoint; null for none. */
  embedWith(embedding: object | null): Promise<void>;
}

async function openStore(
  { reprise }: Bench,
  size: number,
  embedding: { readonly name: string; readonly base_url: string },
): Promise<BenchStore> {
  const agent_id = await reprise.createAgent({ memory: { scope: "agent" } });
  const { api } = reprise.tenant;
  const store = readString(await api.call("POST", "/v1/memory-stores", { agent_id }), "id");
  for (let from = 0; from < size; from += FILLED_AT_ONCE) {
    const to = Math.min(from + FILLED_AT_ONCE, size);
    // As the store names the model of its vectors.
    const model = JSON.stringify([embedding.name, embedding.base_url, DIMENSIONS]);
    await reprise.fillMemories(store, { from, to, model, dimensions: DIMENSIONS });
  }
  return {
    async search(words) {
      const path = `/v1/memory-stores/${store}/memories?limit=5&search=${encodeURIComponent(words)}`;
      const { text } = await readPath(reprise, reprise.tenant, path);
      // One that has found nothing, or has searched by words alone where it should not, has a note.
      if (!text.includes('"note":null')) throw new Error(`a search for ${words}: ${text}`);
    },
    async embedWith(wanted) {
      const change = { memory: { scope: "agent", embedding: wanted } };
      await api.call("PATCH", `/v1/agents/${agent_id}`, change);
    },
  };
}

/** The 95th percentile of the milliseconds of an act, done so many times, one after another. */
async function percentile(times: number, act: (time: number) => Promise<unknown>): Promise<number> {
  const taken: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const startedAtMs = performance.now();
    await act(time);
    taken.push(performance.now() - startedAtMs);
  }
  return quantile(taken, 0.95);
}
