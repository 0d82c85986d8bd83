import "@copilotkit/react-core/v2/styles.css";
import "../page.css";
import { createRoot } from "react-dom/client";

import { Chat } from "./chat.tsx";

const response = await fetch(`/threads/${location.search.slice(1)}`);
const { threadId } = (await response.json()) as { threadId: string };
createRoot(document.querySelector("main")!).render(<Chat threadId={threadId} />);
