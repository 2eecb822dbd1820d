-- Run inside Neovim: a finding appears, its interleaving is offered, a repair makes it go. Says "ok" at the end.
local file, repaired = vim.env.HEDDLE_TEST_FILE, vim.env.HEDDLE_TEST_REPAIRED
local function fail(what)
  io.stderr:write("neovim: " .. what .. "\n" .. vim.inspect(vim.diagnostic.get(0)) .. "\n")
  vim.cmd("cquit 1")
end
local function wait(what, condition)
  if not vim.wait(60000, condition, 50) then fail(what) end
end

vim.cmd("edit " .. vim.fn.fnameescape(file))
local shown
local client = vim.lsp.start_client({
  name = "heddle",
  cmd = { vim.env.HEDDLE_TEST_BINARY, "lsp" },
  root_dir = vim.fn.fnamemodify(file, ":h"),
  handlers = {
    ["workspace/codeLens/refresh"] = function() return vim.NIL end,
    ["window/showDocument"] = function(_, params)
      shown = vim.uri_to_fname(params.uri)
      return { success = true }
    end,
  },
})
vim.lsp.buf_attach_client(0, client)
wait("no diagnostics", function() return #vim.diagnostic.get(0) == 2 end)
local diagnostic = vim.diagnostic.get(0)[1]
if diagnostic.source ~= "heddle" or diagnostic.code ~= "data-race" then fail("another diagnostic") end

local answers = vim.lsp.buf_request_sync(0, "textDocument/codeAction", {
  textDocument = vim.lsp.util.make_text_document_params(),
  range = { start = { line = diagnostic.lnum, character = diagnostic.col }, ["end"] = { line = diagnostic.lnum, character = diagnostic.col } },
  context = { diagnostics = {} },
}, 30000)
local command
for _, action in pairs(answers[client].result) do
  if action.command and action.command.command == "heddle.showInterleaving" then command = action.command end
end
if not command then fail("no action that shows the interleaving") end
vim.lsp.buf_request_sync(0, "workspace/executeCommand", command, 30000)
local path = vim.fn.glob(vim.env.HEDDLE_RUNTIME_DIR .. "/interleaving-*.txt")
if path == "" then fail("no interleaving") end
if not table.concat(vim.fn.readfile(path), "\n"):find("counter") then fail("an empty interleaving") end

-- Typing below, before anything is saved, and the repair.
vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.fn.readfile(repaired))
vim.cmd("write")
wait("the finding stays", function() return #vim.diagnostic.get(0) == 0 end)
vim.lsp.stop_client(client)
io.stdout:write("ok\n")
vim.cmd("qall!")
