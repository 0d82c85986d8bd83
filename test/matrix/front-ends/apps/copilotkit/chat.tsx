import { CopilotChat, CopilotKit, useFrontendTool } from "@copilotkit/react-core/v2";
import { useState } from "react";
import { z } from "zod";

import { Approvals } from "./approvals.tsx";

export function Chat({ threadId }: { readonly threadId: string }) {
  return (
    <CopilotKit runtimeUrl="/api/copilotkit">
      <Shop />
      <Approvals />
      <CopilotChat threadId={threadId} />
    </CopilotKit>
  );
}

/** The shop's page, and the agent's tool that opens one. */
function Shop() {
  const [page, setPage] = useState("start");
  useFrontendTool({
    name: "open_page",
    description: "Opens a page of the shop.",
    parameters: z.object({ page: z.string() }),
    handler: async ({ page }) => {
      setPage(page);
      return `The page is open: ${page}`;
    },
  });
  return <h1>The shop: {page}</h1>;
}
