// Starts `magneto lsp`, which does the work, and hands its commands to people.
'use strict';
const vscode = require('vscode');
const { LanguageClient, TransportKind } = require('vscode-languageclient/node');

/** The command of the server that makes tests of a file. */
const GENERATE = 'magneto.generateTests';

let client;

function newClient() {
  const settings = vscode.workspace.getConfiguration('magneto');
  const server = { command: settings.get('path') || 'magneto', args: ['lsp'], transport: TransportKind.stdio };
  return new LanguageClient('magneto', 'Magneto', server, {
    documentSelector: [{ language: 'fpcore' }],
    initializationOptions: { testsFolder: settings.get('testsFolder') || null },
    middleware: {
      // The server makes tests of what is in the file.
      executeCommand: async (command, args, next) => {
        if (command === GENERATE && typeof args[0] === 'string') {
          const document = vscode.workspace.textDocuments.find((d) => client.code2ProtocolConverter.asUri(d.uri) === args[0]);
          if (document && document.isDirty && !(await document.save())) return undefined;
        }
        try {
          return await next(command, args);
        } catch (e) {
          // The server has shown why.
          client.outputChannel.appendLine(String(e && e.message));
          return undefined;
        }
      },
    },
  });
}

async function start() {
  client = newClient();
  try {
    await client.start();
  } catch (e) {
    const set = 'Open Settings';
    const program = vscode.workspace.getConfiguration('magneto').get('path');
    const chosen = await vscode.window.showErrorMessage(`Magneto cannot start \`${program} lsp\`: ${e && e.message}`, set);
    if (chosen === set) await vscode.commands.executeCommand('workbench.action.openSettings', 'magneto.path');
  }
}

async function stop() {
  const running = client;
  client = undefined;
  if (running && running.isRunning()) await running.stop();
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand('magneto.restart', async () => {
      await stop();
      await start();
    }),
    vscode.commands.registerCommand('magneto.generateTestsOfFile', async () => {
      const editor = vscode.window.activeTextEditor;
      if (!client || !editor || editor.document.languageId !== 'fpcore') return undefined;
      return vscode.commands.executeCommand(GENERATE, client.code2ProtocolConverter.asUri(editor.document.uri));
    }),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (!event.affectsConfiguration('magneto')) return;
      await stop();
      await start();
    }),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
