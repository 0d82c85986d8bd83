/** @module-tag broad */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

const MAIN = fileURLToPath(new URL("../../../bench/main.ts", import.meta.url));

async function runBench(...parameters: string[]): Promise<{ stdout: string; stderr: string }> {
  return promisify(execFile)(process.execPath, [MAIN, ...parameters]);
}

describe("the benchmark", () => {
  it("measures the platform as it is beside the floor", async () => {
    const { stdout } = await runBench("--only=first-event", "--peers=", "--rounds=1");

    const table = stdout.split("\n").filter((line) => line.startsWith("|"));
    expect(table.map((line) => line.replaceAll(/\d[\d.]*/g, "0"))).toEqual([
      "|  | raw | reprise |",
      "| --- | --- | --- |",
      "| to the first event | 0 ms | 0 ms, 0 × |",
      "| to the first token | 0 ms | 0 ms, 0 × |",
    ]);
  });

  it("says what it takes when it is told something else", async () => {
    await expect(runBench("--fast")).rejects.toMatchObject({
      stderr: expect.stringContaining("--fast is not known: quick, --check, --rounds=N"),
    });
  });
});
