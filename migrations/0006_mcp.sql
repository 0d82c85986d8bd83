CREATE TABLE `mcp_catalogues` (
	`server_id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`version` integer NOT NULL,
	`dialect` text,
	`tools` text,
	`read_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`avoid_until` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `mcp_servers` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`name` text NOT NULL,
	`definition` text NOT NULL,
	`credential_ids` text NOT NULL,
	`version` integer NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `mcp_servers_tenant` ON `mcp_servers` (`tenant_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `mcp_servers_name` ON `mcp_servers` (`tenant_id`,`name`);--> statement-breakpoint
ALTER TABLE `tenant_counts` ADD `mcp_servers` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
CREATE TRIGGER `mcp_servers_counted` AFTER INSERT ON `mcp_servers` BEGIN
  UPDATE `tenant_counts` SET `mcp_servers` = `mcp_servers` + 1 WHERE `tenant_id` = NEW.`tenant_id`;
  SELECT RAISE(ABORT, 'quota_exceeded mcp_servers') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`mcp_servers` > coalesce(json_extract(`tenants`.`quotas`, '$.mcp_servers'), 100);
END;
--> statement-breakpoint
CREATE TRIGGER `mcp_servers_uncounted` AFTER DELETE ON `mcp_servers` BEGIN
  UPDATE `tenant_counts` SET `mcp_servers` = `mcp_servers` - 1 WHERE `tenant_id` = OLD.`tenant_id`;
  DELETE FROM `mcp_catalogues` WHERE `server_id` = OLD.`id`;
END;
