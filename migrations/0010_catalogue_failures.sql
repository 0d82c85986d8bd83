ALTER TABLE `mcp_catalogues` ADD `failure` text;--> statement-breakpoint
DROP TRIGGER `mcp_catalogues_sized`;
--> statement-breakpoint
DROP TRIGGER `mcp_catalogues_unsized`;
--> statement-breakpoint
DROP TRIGGER `mcp_catalogues_resized`;
--> statement-breakpoint
-- A row without a failure has as many bytes as before.
CREATE TRIGGER `mcp_catalogues_sized` AFTER INSERT ON `mcp_catalogues` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + 200 + ifnull(length(CAST(NEW.`end_user_id` AS BLOB)), 0) + ifnull(length(CAST(NEW.`dialect` AS BLOB)), 0) + ifnull(length(CAST(NEW.`tools` AS BLOB)), 0) + ifnull(length(CAST(NEW.`failure` AS BLOB)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `mcp_catalogues_unsized` AFTER DELETE ON `mcp_catalogues` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = max(`database_bytes` - (200 + ifnull(length(CAST(OLD.`end_user_id` AS BLOB)), 0) + ifnull(length(CAST(OLD.`dialect` AS BLOB)), 0) + ifnull(length(CAST(OLD.`tools` AS BLOB)), 0) + ifnull(length(CAST(OLD.`failure` AS BLOB)), 0)), 0) WHERE `tenant_id` = OLD.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `mcp_catalogues_resized` AFTER UPDATE OF `dialect`, `tools`, `failure` ON `mcp_catalogues` WHEN NEW.`dialect` IS NOT OLD.`dialect` OR NEW.`tools` IS NOT OLD.`tools` OR NEW.`failure` IS NOT OLD.`failure` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = max(`database_bytes` + (200 + ifnull(length(CAST(NEW.`end_user_id` AS BLOB)), 0) + ifnull(length(CAST(NEW.`dialect` AS BLOB)), 0) + ifnull(length(CAST(NEW.`tools` AS BLOB)), 0) + ifnull(length(CAST(NEW.`failure` AS BLOB)), 0)) - (200 + ifnull(length(CAST(OLD.`end_user_id` AS BLOB)), 0) + ifnull(length(CAST(OLD.`dialect` AS BLOB)), 0) + ifnull(length(CAST(OLD.`tools` AS BLOB)), 0) + ifnull(length(CAST(OLD.`failure` AS BLOB)), 0)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
END;
