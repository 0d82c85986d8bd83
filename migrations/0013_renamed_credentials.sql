-- The bytes of a credential's name are counted when it is changed, too.
DROP TRIGGER `credentials_resized`;
--> statement-breakpoint
CREATE TRIGGER `credentials_resized` AFTER UPDATE OF `name`, `sealed`, `allowed_hosts` ON `credentials` WHEN NEW.`name` IS NOT OLD.`name` OR NEW.`sealed` IS NOT OLD.`sealed` OR NEW.`allowed_hosts` IS NOT OLD.`allowed_hosts` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = max(`database_bytes` + (200 + ifnull(length(CAST(NEW.`name` AS BLOB)), 0) + ifnull(length(CAST(NEW.`sealed` AS BLOB)), 0) + ifnull(length(CAST(NEW.`allowed_hosts` AS BLOB)), 0)) - (200 + ifnull(length(CAST(OLD.`name` AS BLOB)), 0) + ifnull(length(CAST(OLD.`sealed` AS BLOB)), 0) + ifnull(length(CAST(OLD.`allowed_hosts` AS BLOB)), 0)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
  SELECT RAISE(ABORT, 'quota_exceeded database_bytes') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE 200 + ifnull(length(CAST(NEW.`name` AS BLOB)), 0) + ifnull(length(CAST(NEW.`sealed` AS BLOB)), 0) + ifnull(length(CAST(NEW.`allowed_hosts` AS BLOB)), 0) > 200 + ifnull(length(CAST(OLD.`name` AS BLOB)), 0) + ifnull(length(CAST(OLD.`sealed` AS BLOB)), 0) + ifnull(length(CAST(OLD.`allowed_hosts` AS BLOB)), 0) AND `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`database_bytes` > coalesce(json_extract(`tenants`.`quotas`, '$.database_bytes'), 1000000000);
END;
