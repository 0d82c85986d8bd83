import { Link } from "@tanstack/react-router";
import { BookOpen, Bot, KeyRound, MessagesSquare, Webhook, type LucideIcon } from "lucide-react";

import { useMay } from "../../access/access-context.ts";

interface Step {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly text: string;
  /** Address below the console, or below /docs. */
  readonly to: string;
}

const GUIDES: readonly Step[] = [
  {
    icon: BookOpen,
    title: "Your first agent",
    text: "An agent, a session and a streamed reply from your back end, in a few minutes.",
    to: "/docs/guides/first-agent",
  },
  {
    icon: KeyRound,
    title: "Your own model",
    text: "Store a vendor’s key as a credential, and replace the scripted model in one request.",
    to: "/docs/guides/your-own-model",
  },
  {
    icon: Webhook,
    title: "Webhooks",
    text: "Have your back end told when a reply waits for a person, and when it ends.",
    to: "/docs/webhooks",
  },
];

/** Next steps: pages of the console that the session may use, and guides. */
export function NextSteps() {
  const mayAgents = useMay("agents:read");
  const maySessions = useMay("sessions:read");
  return (
    <section className="section" aria-label="What to do next">
      <h2>What to do next</h2>
      <ul className="next-steps">
        {mayAgents && (
          <li>
            <Bot size={20} aria-hidden />
            <Link to="/agents" className="row-link">
              Agents
            </Link>
            <p>Prompts, models, tools and permissions; each change makes a version.</p>
          </li>
        )}
        {maySessions && (
          <li>
            <MessagesSquare size={20} aria-hidden />
            <Link to="/sessions" className="row-link">
              Sessions
            </Link>
            <p>Every conversation, with each event and its number.</p>
          </li>
        )}
        {GUIDES.map(({ icon: Icon, title, text, to }) => (
          <li key={to}>
            <Icon size={20} aria-hidden />
            <a href={to} className="row-link">
              {title}
            </a>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
