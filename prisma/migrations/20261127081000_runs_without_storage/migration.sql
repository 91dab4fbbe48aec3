ALTER TYPE run_failure ADD VALUE 'storage_full';
