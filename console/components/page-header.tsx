import type { ReactNode } from "react";

interface PageHeaderProps {
  readonly title: string;
  readonly subtitle?: ReactNode;
  /** Buttons at the end of the line. */
  readonly children?: ReactNode;
}

/** The heading of a page, which is the title of the window too. */
export function PageHeader({ title, subtitle, children }: PageHeaderProps) {
  return (
    <header className="page-header">
      <title>{`${title} · Reprise`}</title>
      <div className="page-header-text">
        <h1>{title}</h1>
        {subtitle !== undefined && <div className="page-header-subtitle">{subtitle}</div>}
      </div>
      {children !== undefined && <div className="page-header-actions">{children}</div>}
    </header>
  );
}
