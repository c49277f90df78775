import { editFile } from './edit-file.mjs';
import { listFiles } from './list-files.mjs';
import { readFileTool } from './read-file.mjs';
import { runCommand } from './run-command.mjs';
import { search } from './search.mjs';
import { writeFileTool } from './write-file.mjs';

export const TOOLS = [listFiles, search, readFileTool, editFile, writeFileTool, runCommand];
