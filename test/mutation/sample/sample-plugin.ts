// Makes StrykerJS judge the drawn mutants and no others, and keeps each verdict at once.
import type { MutantResult, MutantTestPlan, StrykerOptions } from "@stryker-mutator/api/core";
import { commonTokens, declareClassPlugin, PluginKind, tokens } from "@stryker-mutator/api/plugin";
import type { MutationTestingPlanReadyEvent, Reporter } from "@stryker-mutator/api/report";

import { nameOf, SampleFiles } from "./sample-files.ts";

export interface SampleOptions {
  readonly folder: string;
  /** In the order of the draw. */
  readonly drawn: readonly string[];
}

/** Without a beat for so long, the machine slept or the run was stopped. */
const STOPPED_MS = 5_000;

class SampleReporter implements Reporter {
  static readonly inject = tokens(commonTokens.options);
  readonly #drawn: readonly string[];
  readonly #concurrency: number;
  readonly #files: SampleFiles;
  /** By id: results count lines and columns from 1, mutants from 0. */
  readonly #names = new Map<string, string>();
  #beatAt = Date.now();
  /** Verdicts that are not kept: of what ran when the run was stopped, since its clocks went on. */
  #disturbed = 0;

  constructor(options: StrykerOptions) {
    const { folder, drawn } = options["sample"] as SampleOptions;
    this.#drawn = drawn;
    this.#concurrency = Number(options.concurrency);
    this.#files = new SampleFiles(folder);
    setInterval(() => this.#beat(), 1_000).unref();
  }

  /** The plan is the very list that StrykerJS goes through next: a mutant within another one's range is taken out. */
  onMutationTestingPlanReady({ mutantPlans }: MutationTestingPlanReadyEvent): void {
    const plans = mutantPlans as MutantTestPlan[];
    for (const { mutant } of plans) this.#names.set(mutant.id, nameOf(mutant));
    const byName = new Map(plans.map((plan) => [nameOf(plan.mutant), plan]));
    const kept = this.#drawn.flatMap((name) => byName.get(name) ?? []);
    console.log(`${kept.length} of ${this.#drawn.length} drawn mutants are to be judged`);
    plans.splice(0, plans.length, ...kept);
  }

  onMutantTested(result: Readonly<MutantResult>): void {
    const { id, status, statusReason } = result;
    const mutant = this.#names.get(id);
    this.#beat();
    if (this.#disturbed > 0) this.#disturbed -= 1;
    else if (mutant !== undefined) {
      this.#files.addVerdict({ mutant, status, reason: statusReason?.slice(0, 200) });
    }
  }

  #beat(): void {
    const now = Date.now();
    if (now - this.#beatAt > STOPPED_MS) this.#disturbed = 2 * this.#concurrency;
    this.#beatAt = now;
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Reporter, "sample", SampleReporter)];

/** So that StrykerJS knows the option. */
export const strykerValidationSchema = { properties: { sample: { type: "object" } } };
