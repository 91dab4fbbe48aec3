-- No statement here uses the new value: a transaction cannot use a value that it has added.
ALTER TYPE question_type ADD VALUE 'form';
ALTER TABLE questions ADD COLUMN form TEXT;
