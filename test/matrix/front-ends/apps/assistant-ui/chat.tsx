import {
  AssistantRuntimeProvider,
  AuiConfig,
  ExportedMessageRepository,
  Tools,
  type Toolkit,
} from "@assistant-ui/react";
import { useAgUiRuntime } from "@assistant-ui/react-ag-ui";
import { useMemo, useState } from "react";

import type { Connection } from "./back-end.ts";
import { loadMessages } from "./load-messages.ts";
import { RepriseAgent } from "./reprise-agent.ts";
import { Thread } from "./thread.tsx";

export function Chat({ connection }: { readonly connection: Connection }) {
  const [failure, setFailure] = useState("");
  const [page, setPage] = useState("start");
  const agent = useMemo(() => new RepriseAgent(connection), [connection]);
  const history = useMemo(
    () => ({
      // The platform stores the messages.
      append: async () => undefined,
      load: async () => ExportedMessageRepository.fromArray(await loadMessages(connection)),
    }),
    [connection],
  );
  const runtime = useAgUiRuntime({
    agent,
    adapters: { history },
    onError: (error) => setFailure(error.message),
  });
  const config = useMemo(() => AuiConfig({ tools: Tools({ toolkit: shopTools(setPage) }) }), []);

  return (
    <AssistantRuntimeProvider runtime={runtime} config={config}>
      <h1>The shop: {page}</h1>
      <p role="alert">{failure}</p>
      <Thread connection={connection} />
    </AssistantRuntimeProvider>
  );
}

/** Tools of the agent in the page. */
function shopTools(setPage: (page: string) => void): Toolkit {
  return {
    open_page: {
      type: "frontend",
      description: "Opens a page of the shop.",
      parameters: { type: "object", properties: { page: { type: "string" } } },
      execute: async ({ page }: { page: string }) => {
        setPage(page);
        return `The page is open: ${page}`;
      },
      render: ({ args }) => <p className="tool">Opens {String(args["page"])}</p>,
    },
  };
}
