/**
 * PowerShell's aliases and what its cmdlets do with their words. Source: `Get-Alias` and the cmdlets' parameter lists
 * of PowerShell 7.4 and Windows PowerShell 5.1.
 */
const aliasText =
  "rm=Remove-Item ri=Remove-Item del=Remove-Item erase=Remove-Item rd=Remove-Item rmdir=Remove-Item cp=Copy-Item copy=Copy-Item cpi=Copy-Item mv=Move-Item move=Move-Item mi=Move-Item " +
  "ren=Rename-Item rni=Rename-Item ni=New-Item md=New-Item mkdir=New-Item gc=Get-Content cat=Get-Content type=Get-Content sc=Set-Content ac=Add-Content clc=Clear-Content cli=Clear-Item " +
  "gci=Get-ChildItem ls=Get-ChildItem dir=Get-ChildItem gi=Get-Item si=Set-Item ii=Invoke-Item cd=Set-Location sl=Set-Location chdir=Set-Location pushd=Push-Location popd=Pop-Location " +
  "pwd=Get-Location gl=Get-Location echo=Write-Output write=Write-Output tee=Tee-Object sls=Select-String iex=Invoke-Expression icm=Invoke-Command iwr=Invoke-WebRequest wget=Invoke-WebRequest curl=Invoke-WebRequest " +
  "irm=Invoke-RestMethod %=ForEach-Object ?=Where-Object where=Where-Object select=Select-Object sort=Sort-Object measure=Measure-Object group=Group-Object " +
  "kill=Stop-Process spps=Stop-Process gps=Get-Process ps=Get-Process start=Start-Process saps=Start-Process sasv=Start-Service spsv=Stop-Service gsv=Get-Service sleep=Start-Sleep " +
  "sp=Set-ItemProperty gp=Get-ItemProperty rp=Remove-ItemProperty clp=Clear-ItemProperty sal=Set-Alias nal=New-Alias set=Set-Variable sv=Set-Variable gv=Get-Variable rv=Remove-Variable " +
  "epcsv=Export-Csv ipcsv=Import-Csv ipmo=Import-Module gm=Get-Member gal=Get-Alias gcm=Get-Command h=Get-History history=Get-History r=Invoke-History cls=Clear-Host clear=Clear-Host " +
  "nsn=New-PSSession etsn=Enter-PSSession sajb=Start-Job gjb=Get-Job rcjb=Receive-Job compare=Compare-Object diff=Compare-Object fl=Format-List ft=Format-Table oh=Out-Host lp=Out-Printer " +
  "cvpa=Convert-Path rvpa=Resolve-Path gu=Get-Unique man=Get-Help help=Get-Help rsn=Remove-PSSession rmo=Remove-Module rdr=Remove-PSDrive ndr=New-PSDrive mount=New-PSDrive";

const aliases: ReadonlyMap<string, string> = new Map(aliasText.split(" ").map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)] as const));

export function powerAlias(name: string): string | undefined {
  return aliases.get(name.toLowerCase());
}

export function powerAliasRows(): readonly (readonly [string, string])[] {
  return [...aliases];
}

export interface Cmdlet {
  /** Kinds of the positional words, in the letters of `tables/operands.ts`. */
  readonly operands: string;
  /** Parameters with a value: `-Destination:w`. A parameter in `operands`' place is listed too. */
  readonly parameters: string;
  /** Switches with which operands stand for everything below them; `always` where they do anyway. */
  readonly tree?: string;
  /** Takes paths from the pipeline when it is given none. */
  readonly piped?: true;
}

/** Parameters that every cmdlet has. */
export const commonParameters = "-ErrorAction:- -ErrorVariable:- -WarningAction:- -WarningVariable:- -InformationAction:- -OutVariable:- -OutBuffer:- -PipelineVariable:- -Credential:- -Encoding:- -Filter:- -Include:- -Exclude:- -Stream:-";

const rows: Readonly<Record<string, Cmdlet>> = {
  "remove-item": { operands: "d", parameters: "-Path:d -LiteralPath:d", tree: "-Recurse", piped: true },
  "clear-content": { operands: "w", parameters: "-Path:w -LiteralPath:w", piped: true },
  "clear-item": { operands: "w", parameters: "-Path:w -LiteralPath:w", piped: true },
  "copy-item": { operands: "r w", parameters: "-Path:r -LiteralPath:r -Destination:w -ToSession:- -FromSession:-", tree: "-Recurse", piped: true },
  "move-item": { operands: "rd w", parameters: "-Path:rd -LiteralPath:rd -Destination:w", tree: "always", piped: true },
  "rename-item": { operands: "rd w", parameters: "-Path:rd -LiteralPath:rd -NewName:w", tree: "always", piped: true },
  "new-item": { operands: "w", parameters: "-Path:w -Name:w -ItemType:- -Type:- -Value:- -Target:rw" },
  "set-item": { operands: "w -", parameters: "-Path:w -LiteralPath:w -Value:-" },
  "get-content": { operands: "r", parameters: "-Path:r -LiteralPath:r -TotalCount:- -Tail:- -ReadCount:- -Delimiter:- -Head:- -First:- -Last:-", piped: true },
  "set-content": { operands: "w -", parameters: "-Path:w -LiteralPath:w -Value:-", piped: true },
  "add-content": { operands: "w -", parameters: "-Path:w -LiteralPath:w -Value:-", piped: true },
  "out-file": { operands: "w", parameters: "-FilePath:w -Path:w -LiteralPath:w -Width:- -InputObject:-" },
  "tee-object": { operands: "w", parameters: "-FilePath:w -LiteralPath:w -Variable:- -InputObject:-" },
  "export-csv": { operands: "w", parameters: "-Path:w -LiteralPath:w -Delimiter:- -InputObject:-" },
  "export-clixml": { operands: "w", parameters: "-Path:w -LiteralPath:w -Depth:- -InputObject:-" },
  "import-csv": { operands: "r", parameters: "-Path:r -LiteralPath:r -Delimiter:- -Header:-" },
  "import-clixml": { operands: "r", parameters: "-Path:r -LiteralPath:r" },
  "import-module": { operands: "r", parameters: "-Name:r" },
  "select-string": { operands: "- r", parameters: "-Pattern:- -Path:r -LiteralPath:r -Context:- -InputObject:-", piped: true },
  "get-filehash": { operands: "r", parameters: "-Path:r -LiteralPath:r -Algorithm:-" },
  "format-hex": { operands: "r", parameters: "-Path:r -LiteralPath:r -Count:- -Offset:-" },
  "get-childitem": { operands: "t", parameters: "-Path:t -LiteralPath:t -Depth:- -Attributes:-" },
  "get-item": { operands: "t", parameters: "-Path:t -LiteralPath:t" },
  "get-itemproperty": { operands: "t -", parameters: "-Path:t -LiteralPath:t -Name:-" },
  "set-itemproperty": { operands: "w - -", parameters: "-Path:w -LiteralPath:w -Name:- -Value:- -Type:-" },
  "remove-itemproperty": { operands: "w -", parameters: "-Path:w -LiteralPath:w -Name:-" },
  "get-acl": { operands: "t", parameters: "-Path:t -LiteralPath:t" },
  "set-acl": { operands: "w -", parameters: "-Path:w -LiteralPath:w -AclObject:-" },
  "test-path": { operands: "t", parameters: "-Path:t -LiteralPath:t -PathType:-" },
  "resolve-path": { operands: "t", parameters: "-Path:t -LiteralPath:t" },
  "convert-path": { operands: "t", parameters: "-Path:t -LiteralPath:t" },
  "set-location": { operands: "t", parameters: "-Path:t -LiteralPath:t -StackName:-" },
  "push-location": { operands: "t", parameters: "-Path:t -LiteralPath:t -StackName:-" },
  "split-path": { operands: "-", parameters: "-Path:- -LiteralPath:-" },
  "join-path": { operands: "-", parameters: "-Path:- -ChildPath:-" },
  "invoke-item": { operands: "t", parameters: "-Path:t -LiteralPath:t" },
  "unblock-file": { operands: "w", parameters: "-Path:w -LiteralPath:w" },
  "compress-archive": { operands: "r w", parameters: "-Path:r -LiteralPath:r -DestinationPath:w -CompressionLevel:-", tree: "always" },
  "expand-archive": { operands: "r w", parameters: "-Path:r -LiteralPath:r -DestinationPath:w" },
  "invoke-webrequest": { operands: "-", parameters: "-Uri:- -OutFile:w -InFile:r -Body:- -Headers:- -Method:- -ContentType:- -UserAgent:- -TimeoutSec:- -Proxy:- -Form:- -SessionVariable:- -WebSession:-" },
  "invoke-restmethod": { operands: "-", parameters: "-Uri:- -OutFile:w -InFile:r -Body:- -Headers:- -Method:- -ContentType:- -UserAgent:- -TimeoutSec:- -Proxy:- -Form:-" },
  "start-bitstransfer": { operands: "- w", parameters: "-Source:r -Destination:w" },
  "start-transcript": { operands: "w", parameters: "-Path:w -LiteralPath:w -OutputDirectory:w" },
  "start-process": { operands: "t -", parameters: "-FilePath:t -ArgumentList:- -Args:- -WorkingDirectory:t -RedirectStandardOutput:w -RedirectStandardError:w -RedirectStandardInput:r -Verb:- -WindowStyle:-" },
  "write-output": { operands: "-", parameters: "-InputObject:-" },
  "write-host": { operands: "-", parameters: "-Object:- -ForegroundColor:- -BackgroundColor:- -Separator:-" },
  "write-error": { operands: "-", parameters: "-Message:-" },
  "write-verbose": { operands: "-", parameters: "-Message:-" },
  "write-warning": { operands: "-", parameters: "-Message:-" },
  "invoke-expression": { operands: "-", parameters: "-Command:-" },
  "get-command": { operands: "-", parameters: "-Name:- -Module:-" },
  "get-help": { operands: "-", parameters: "-Name:-" },
  "get-process": { operands: "-", parameters: "-Name:- -Id:-" },
  "stop-process": { operands: "-", parameters: "-Name:- -Id:-" },
  "where-object": { operands: "-", parameters: "-Property:- -Value:-" },
  "foreach-object": { operands: "-", parameters: "-MemberName:- -Process:- -Begin:- -End:-" },
  "select-object": { operands: "-", parameters: "-Property:- -First:- -Last:- -Skip:- -ExpandProperty:-" },
  "sort-object": { operands: "-", parameters: "-Property:-" },
  "measure-object": { operands: "-", parameters: "-Property:-" },
  "set-variable": { operands: "- -", parameters: "-Name:- -Value:-" },
  "set-alias": { operands: "- -", parameters: "-Name:- -Value:-" },
  "start-sleep": { operands: "-", parameters: "-Seconds:- -Milliseconds:-" },
};

export function cmdletRow(name: string): Cmdlet | undefined {
  const key = name.toLowerCase();
  return Object.hasOwn(rows, key) ? rows[key] : undefined;
}

export function cmdletRows(): readonly string[] {
  return Object.keys(rows);
}
