CREATE TABLE `connections` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`mcp_server_id` text NOT NULL,
	`end_user_id` text NOT NULL,
	`status` text NOT NULL,
	`version` integer NOT NULL,
	`bound_to` text NOT NULL,
	`issuer` text,
	`scope` text,
	`failure` text,
	`grant` text,
	`expires_at` integer NOT NULL,
	`leased_until` integer NOT NULL,
	`attempt` text,
	`attempt_until` integer NOT NULL,
	`state_hash` text,
	`code_hash` text,
	`session_ids` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `connections_owner` ON `connections` (`tenant_id`,`mcp_server_id`,`end_user_id`);--> statement-breakpoint
CREATE INDEX `connections_tenant` ON `connections` (`tenant_id`,`id`);--> statement-breakpoint
CREATE INDEX `connections_server` ON `connections` (`mcp_server_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `connections_state` ON `connections` (`state_hash`);--> statement-breakpoint
CREATE TABLE `oauth_clients` (
	`mcp_server_id` text NOT NULL,
	`tenant_id` text NOT NULL,
	`version` integer NOT NULL,
	`issuer` text NOT NULL,
	`client` text NOT NULL,
	PRIMARY KEY(`mcp_server_id`, `issuer`)
);
--> statement-breakpoint
DROP TABLE `mcp_catalogues`;--> statement-breakpoint
CREATE TABLE `mcp_catalogues` (
	`server_id` text NOT NULL,
	`end_user_id` text DEFAULT '' NOT NULL,
	`tenant_id` text NOT NULL,
	`version` integer NOT NULL,
	`dialect` text,
	`tools` text,
	`read_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`avoid_until` integer NOT NULL,
	PRIMARY KEY(`server_id`, `end_user_id`)
);
--> statement-breakpoint
CREATE TRIGGER `connections_removed` AFTER DELETE ON `connections` BEGIN
  DELETE FROM `mcp_catalogues` WHERE `server_id` = OLD.`mcp_server_id` AND `end_user_id` = OLD.`end_user_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `mcp_servers_disconnected` AFTER DELETE ON `mcp_servers` BEGIN
  DELETE FROM `connections` WHERE `mcp_server_id` = OLD.`id`;
  DELETE FROM `oauth_clients` WHERE `mcp_server_id` = OLD.`id`;
END;
