import type { HttpTool } from "../../protocol/tools/http-tool.ts";
import { hintFor } from "../../agent/explain-failure.ts";
import { hostOf } from "../../outgoing/allowed-hosts.ts";
import { failure } from "../answer-shape.ts";
import { probeHttpTool } from "../probe-http-tool.ts";
import { runInBackground } from "../background/run-in-background.ts";
import { runHttpTool } from "../run-http-tool.ts";
import type { ToolKindOf } from "../tool-kind.ts";
import type { ToolProvider } from "../tool-provider.ts";
import { declareTool } from "./declare-tool.ts";

/** Tools on the tenant's own servers. */
export const HTTP_KIND: ToolKindOf<"http"> = {
  provide: httpTools,
  async check(tool, { outgoing, secrets }, stop) {
    const { address, ...found } = await probeHttpTool(tool, { outgoing, secrets, stop });
    const credential_id = tool.credential_id ?? Object.values(tool.secret_headers ?? {})[0] ?? null;
    const party = { name: `The tool ${tool.name}`, isModel: false, credential_id };
    const hint = found.kind && hintFor({ kind: found.kind }, party);
    return { ...found, host: hostOf(address), code: null, message: null, hint };
  },
};

function httpTools(definitions: readonly HttpTool[]): ToolProvider {
  const byName = new Map(definitions.map((tool) => [tool.name, tool]));
  return {
    tools: definitions.map(declareTool),
    owns: (name) => byName.has(name),
    async *run(request, stop, access) {
      const tool = byName.get(request.name);
      const { background } = access;
      const after = tool?.background_after_ms;
      if (tool && after !== undefined && background) {
        const task = await background.open(request, tool.max_bytes);
        yield* runInBackground({ ...access, tool, request, stop }, task, after);
      } else if (tool) yield* runHttpTool({ ...access, tool, request, stop });
      else yield* failure(`There is no tool named ${request.name}.`);
    },
  };
}
